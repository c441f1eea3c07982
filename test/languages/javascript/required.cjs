exports.part = require('./part');
module.exports.helper = () => helper;
const { a, ...rest } = require('./whole'),
  made = require('./factory')(1);
if (lazy) {
  const late = require('./late');
  late.run(made);
}
