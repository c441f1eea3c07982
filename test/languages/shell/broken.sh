start() {
  echo "unclosed
  if [ -f x ]; then
    start
