#!/bin/bash
#SBATCH --job-name=assay-agents
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=08:00:00

# One agent on each node of the allocation, until its time is over or `scancel` ends it: sbatch slurm.sh.
# The token is in the home directory, which all nodes share. The nodes are printed as hosts for fleet.toml.
set -euo pipefail

for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
    printf '[[host]]\nname = "%s"\naddress = "%s"\n\n' "$node" "$node"
done

srun --kill-on-bad-exit=1 sh -c 'exec assay fleet agent --address "$(hostname -i | cut -d " " -f 1)"'
