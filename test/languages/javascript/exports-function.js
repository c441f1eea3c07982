module.exports = function main() {
  return lazy(() => require('./late'));
};
