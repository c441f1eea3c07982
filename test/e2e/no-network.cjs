/*
 * Preloaded into every Node process of a run. A connection of a process of ours to anything but a Unix socket fails,
 * and is written down in the file that CODEWALK_E2E_NETWORK names. Clients' own go through: they talk to the model.
 */
const { appendFileSync } = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const dgram = require('node:dgram');

const log = process.env.CODEWALK_E2E_NETWORK;
const own = /[/\\]codewalk[/\\]|[/\\]dist[/\\](?:cli|hook|record|daemon|.*\.worker)\.js$/u;

if (log && own.test(process.argv[1] ?? '')) {
  const refuse = (what) => {
    appendFileSync(log, `${process.argv.slice(1).join(' ')}: ${what}\n`);
    throw new Error(`no network: ${what}`);
  };
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...args) {
    const [first] = Array.isArray(args[0]) ? args[0] : args;
    const path = typeof first === 'string' && Number.isNaN(Number(first)) ? first : first?.path;
    if (!path) refuse(`connect ${JSON.stringify(first)}`);
    return connect.apply(this, args);
  };
  dns.lookup = (name) => refuse(`lookup ${name}`);
  dgram.createSocket = () => refuse('datagram');
}
