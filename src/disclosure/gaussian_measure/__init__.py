"""Mass of sets under standard normal noise, in one dimension, in the plane and in space."""
