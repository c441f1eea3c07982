#!/usr/bin/env bash
# Real clients, end to end: scripts/e2e.sh DIR [options of test/e2e/run.mjs]
# Installs the clients at their pinned versions into DIR from the package registry (what is there is kept), builds, and plays every scenario to each of them, from this checkout and from the packed package. A table; exit 1
# where a call, a file, a success or an error is missing in the graph, or a check of the harness fails. The harness is
# ../shared/clients. On a busy machine hooks come too late to be heard (C-03): run it on an idle one.
set -euo pipefail
clients=$(mkdir -p "${1:?usage: $0 DIR [options]}" && cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
../shared/clients/install-clients.sh "$clients" qwen qwen-old claude >/dev/null
npm run --silent build
node test/e2e/run.mjs --clients "$clients" "$@"
node test/e2e/run.mjs --clients "$clients" --packed --scenario js-cart "$@"
