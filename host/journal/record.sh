#!/bin/sh
# Puts one event from standard input into the journal: docs/internals/daemon.md, "Life of an event".
#   codewalk-record [--root DIR | --cwd DIR] [--client NAME] [--home DIR] < event
# Exit 0: the event is in the journal, or recording is paused. Exit 1: it is not; one line on stderr says why.
# For hooks that `codewalk install` writes:
#   --quiet        exit 0 and no word whatever happens
#   --drop ERE     an input that matches is not recorded
#   --keep ERE     an input that does not match is not recorded
#   --answer NODE  once the event is in the journal, run hook.js, which lies beside this file, to answer the agent
#   --only ERE     an input that does not match is recorded, and not answered
#   --deadline MS  for hook.js
# POSIX sh, for dash, bash and busybox, Linux and macOS. Beside the shell it starts date, cat and mv, once each, and
# grep for each expression.
# host/journal/record.ts does the same in Node.

LC_ALL=C
umask 077
# A file that is there already is not written over.
set -C

# What has failed has said why already.
give_up() {
  [ -n "$quiet" ] || exit 1
  exit 0
}

fail() {
  printf 'codewalk record: %s\n' "$1" >&2
  give_up
}

root='' cwd='' client='' home='' quiet='' answer='' drop='' keep='' only='' deadline=''
while [ $# -gt 0 ]; do
  case $1 in
    --quiet)
      quiet=yes
      exec 2>/dev/null
      shift
      continue
      ;;
    --root | --cwd | --client | --home | --answer | --drop | --keep | --only | --deadline)
      [ $# -gt 1 ] || fail "$1 needs a value"
      option=$1 value=$2
      shift 2
      ;;
    --root=* | --cwd=* | --client=* | --home=*)
      option=${1%%=*} value=${1#*=}
      shift
      ;;
    -h | --help)
      printf 'Usage: codewalk-record [--root DIR | --cwd DIR] [--client NAME] [--home DIR] < event\n'
      exit 0
      ;;
    *) fail "unknown argument '$1'" ;;
  esac
  # A client may not have set the variable that names its project.
  [ -n "$value" ] || [ "$option" = --cwd ] || fail "$option is empty"
  case $option in
    --root) root=$value ;;
    --cwd) cwd=$value ;;
    --client) client=$value ;;
    --answer) answer=$value ;;
    --drop) drop=$value ;;
    --keep) keep=$value ;;
    --only) only=$value ;;
    --deadline) deadline=$value ;;
    *) home=$value ;;
  esac
done

case $client in
  *[!a-z0-9_-]*) fail "--client '$client': small letters, digits, - and _ make the name of a client" ;;
esac
[ ${#client} -le 64 ] || fail '--client is longer than 64 characters'

# A root that was given is the root itself; where none was, the working directory tells which one it is.
place=root
[ -n "$root" ] || place=cwd root=$cwd
case $root in
  /*) ;;
  *)
    [ -n "${PWD-}" ] || fail 'the working directory is not known: give an absolute --root'
    root=$PWD${root:+/$root}
    ;;
esac

[ -n "$home" ] || home=${GRAPHS_HOME-}
if [ -z "$home" ]; then
  case ${HOME-} in
    /* | [A-Za-z]:*) ;;
    *) fail 'HOME names no absolute folder: give --home, or set GRAPHS_HOME' ;;
  esac
  home=$HOME/.graphs
  [ -d "$home" ] || [ ! -d "$HOME/.qwen/graphs" ] || home=$HOME/.qwen/graphs
fi
case $home in
  /*) ;;
  *) home=$PWD/$home ;;
esac

if [ -e "$home/paused" ]; then
  # Whoever writes the event is not to find a closed pipe.
  cat >/dev/null
  exit 0
fi

journal=$home/journal
if [ ! -d "$journal/tmp" ] || [ ! -d "$journal/new" ]; then
  mkdir -p "$journal/tmp" && mkdir -p "$journal/new" || give_up
  [ -e "$home/.codewalk-home" ] || { printf 'Codewalk keeps its graphs in this folder.\n' >"$home/.codewalk-home"; } 2>/dev/null
fi

# Seconds, and nanoseconds where this system's date knows them, else a lone 0.
now=$(date +%s.%N) || give_up
case ${now#*.} in
  [0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]) ;;
  *) now=${now%%.*}.0 ;;
esac

chance=''
[ ! -r /proc/sys/kernel/random/uuid ] || read -r chance </proc/sys/kernel/random/uuid
[ -n "$chance" ] || chance=$(od -An -N16 -tx1 /dev/urandom)
IFS=' -'
# shellcheck disable=SC2086
set -- $chance
IFS=''
chance=$*
[ -n "$chance" ] || fail 'there is no source of chance'

name=$now.$$.$chance
file=$journal/tmp/$name
cat >"$file" || {
  rm -f "$file"
  give_up
}
[ -s "$file" ] || {
  rm -f "$file"
  fail 'standard input is empty'
}
if { [ -n "$drop" ] && grep -Eq -e "$drop" "$file"; } || { [ -n "$keep" ] && ! grep -Eq -e "$keep" "$file"; }; then
  rm -f "$file"
  exit 0
fi
hook=${0%/*}/hook.js
if [ -z "$answer" ] || [ ! -r "$hook" ] || { [ -n "$only" ] && ! grep -Eq -e "$only" "$file"; }; then
  answer=''
fi
# The label stands at the end, between zero bytes, which no path has: so nothing in it needs to be escaped.
printf '\0codewalk event 1\n%s%s %s\0' "${client:+client $client
}" "$place" "$root" >>"$file" || {
  rm -f "$file"
  give_up
}
[ -n "$answer" ] || exec mv "$file" "$journal/new/$name"
# What is read from here is this very file, whoever takes it in meanwhile.
exec <"$file"
mv "$file" "$journal/new/$name" || exit 0
[ -x "$answer" ] || answer=node
exec "$answer" "$hook" --recorded --home "$home" ${deadline:+"--deadline=$deadline"}
