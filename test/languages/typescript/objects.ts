export const handlers = {
  get(path: string) {
    return handlers.post(path);
  },
  async *post() {},
  put: async (path: string) => path,
  'quoted-name': function () {},
  [computed()]: () => 1,
  nested: {
    inner: () => {},
    value: 1,
  },
  get size() {
    return 1;
  },
  handlers,
  ...spread,
} as const;

function make() {
  const api = {
    call() {},
  };
  socket.onopen = () => api.call();
  return { close: () => api.call() };
}

serve({
  fetch: (request) => handle(request),
});
