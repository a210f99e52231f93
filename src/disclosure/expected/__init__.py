"""Expected values over random datasets, without sampling any.

Attributes are drawn independently from a known law, so the neighbours are independent given the target's attribute a and the
release t = a + sigma z. `union_mass` and `failure_probability` have the two public functions. They integrate over releases
(`over_releases`, and `given_release` for the failure probability at one release), or sum over all datasets of a finite list
of values or of the nodes of a Gauss rule (`listed_datasets`). `attribute_laws` has the laws of an attribute; `densities`,
`density_functions` and `density_tables` those that are densities.
"""
