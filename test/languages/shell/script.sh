#!/usr/bin/env bash
# Releases the package.
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly VERSION=1.2.3
export LOG_LEVEL="${LOG_LEVEL:-info}"
names=(one two)

source "$HERE/lib/log.sh"
. ./lib/env.sh

# Says what is released.
#
# $1: the name
greet() {
  local name="$1" other
  other=$(upper "$name")
  log_info "release $name $other" | sort -u
  LAST=$name
}

function _cleanup {
  rm -rf "${TMP:-/tmp/x}"
  command greet again
}
trap _cleanup EXIT

main() {
  for one in "${names[@]}"; do
    greet "$one" || return 1
  done
  if ! greet last && [[ -n "$LOG_LEVEL" ]]; then
    _cleanup
  fi
  case "$1" in
    start) greet start ;;
    *) "$HERE/other.sh" greet ;;
  esac
  cat <<EOF
$(greet heredoc) greet $VERSION
EOF
}

main "$@"
