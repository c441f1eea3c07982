'use strict';
const fs = require('fs');
const { join, resolve: abs } = require('path');
const sub = require('./deep').sub;
require('./side-effect');

function Legacy(name) {
  this.name = name;
}
Legacy.prototype.greet = function () {
  return join(this.name, abs('.'));
};

exports.one = 1;
exports.two = function () {
  return sub(fs);
};
exports.three = Legacy;
module.exports.four = class {};
module.exports = { Legacy, five: () => 5, six: Legacy, seven: 7, eight() {} };
