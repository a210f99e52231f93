#!/usr/bin/env bash
# slurm.sh install | start FOLDER WATCHED | stop FOLDER
#
# A Slurm on this machine alone, as root and without systemd: two nodes of four CPUs each on loopback, memory limits
# enforced, no accounting. It is taken down by `stop`, by itself when the process WATCHED ends in whatever way, and when it
# does not come up. Everything it writes is in FOLDER, but for the link to its configuration: clients and job steps look
# for that in the standard place only.
set -euo pipefail

LINK=/etc/slurm/slurm.conf
DAEMONS="slurmd-n1 slurmd-n2 slurmctld munged"
export PATH="$PATH:/usr/sbin:/sbin"

install() {
  local packages="slurmctld slurmd slurm-client munge"
  export DEBIAN_FRONTEND=noninteractive
  # The lists of packages may be old or missing.
  apt-get install -y -qq --no-install-recommends $packages > /dev/null 2>&1 ||
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages > /dev/null; }
}

configuration() {
  local host
  host=$(hostname -s)
  # MinJobAge: without accounting the controller must remember what has ended for as long as somebody may ask.
  cat << END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$FOLDER/run/munge.socket
CredType=cred/munge
StateSaveLocation=$FOLDER/state
SlurmdSpoolDir=$FOLDER/spool-%n
SlurmctldPidFile=$FOLDER/run/slurmctld.pid
SlurmdPidFile=$FOLDER/run/slurmd-%n.pid
SlurmctldLogFile=$FOLDER/log/slurmctld.log
SlurmdLogFile=$FOLDER/log/slurmd-%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1
ReturnToService=2
MinJobAge=600
KillWait=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=26831 CPUs=4 RealMemory=6000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=26832 CPUs=4 RealMemory=6000
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=720 State=UP
END
}

start() {
  if [ -e $LINK ]; then
    echo "$LINK is there already: this machine has a Slurm, which is left alone" >&2
    exit 1
  fi
  mkdir -p "$FOLDER"/{run,log,state,spool-n1,spool-n2} "${LINK%/*}"
  chmod 755 "$FOLDER" "$FOLDER"/*/ # munge refuses a socket in a folder that others may write to
  (umask 077 && head -c 128 /dev/urandom > "$FOLDER/munge.key")
  configuration > "$FOLDER/slurm.conf"
  ln -sfn "$FOLDER/slurm.conf" $LINK # over a link that leads nowhere
  trap 'tail -n 20 "$FOLDER"/log/*.log >&2 || true; stop' ERR
  munged --key-file="$FOLDER/munge.key" --socket="$FOLDER/run/munge.socket" --pid-file="$FOLDER/run/munged.pid" \
    --log-file="$FOLDER/log/munged.log" --seed-file="$FOLDER/run/munged.seed"
  slurmctld -c
  slurmd -N n1
  slurmd -N n2
  setsid "$0" watch "$FOLDER" "$WATCHED" > /dev/null 2>&1 < /dev/null &
  for _ in $(seq 200); do
    if [ "$(sinfo --noheader --format %T 2> /dev/null)" = idle ]; then return; fi
    sleep 0.1
  done
  echo "Slurm did not come up within 20 seconds" >&2
  false
}

# A process that has ended but that nobody has waited for is not alive.
alive() {
  [ -e "/proc/$1/stat" ] && [ "$(sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | cut -c1)" != Z ]
}

watch() {
  while alive "$WATCHED" && [ -e "$FOLDER/run" ]; do sleep 1; done
  stop
}

stop() {
  trap - ERR
  if [ "$(readlink $LINK)" = "$FOLDER/slurm.conf" ]; then
    timeout 10 scancel --user root 2> /dev/null || true
    for _ in $(seq 50); do
      [ -n "$(timeout 5 squeue --noheader 2> /dev/null)" ] || break
      sleep 0.1
    done
  fi
  local name process
  for name in $DAEMONS; do
    process=$(cat "$FOLDER/run/$name.pid" 2> /dev/null) || continue
    kill "$process" 2> /dev/null || continue
    for _ in $(seq 50); do
      alive "$process" || break
      sleep 0.1
    done
    if alive "$process"; then kill -9 "$process"; fi
  done
  if [ "$(readlink $LINK)" = "$FOLDER/slurm.conf" ]; then rm -f $LINK; fi
  rm -rf "$FOLDER/run" # with the numbers of the processes, which others may get
}

FOLDER=$(realpath -m "${2:-.}")
WATCHED=${3:-}
"$1"
