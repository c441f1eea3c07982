// One client that asks heavy questions, all of them at once, until it is told to stop. Started by bench/fairness.mjs.
import { heavyQuestions } from './heavy.mjs';

const { host: file, home, root, from, count, total, only, walkers } = JSON.parse(process.argv[2]);
const { RemoteHost } = await import(file);
const host = new RemoteHost({ home });
const asked = heavyQuestions(total, only).slice(from, from + count);
const requests = asked.map((question) => ({ ...question, root }));
if (walkers) {
  const looping = { kind: 'a walker that loops', walker: 'looping', input: {}, limits: { deadlineMs: 5000 } };
  requests.push({ ...looping, root, userWalkers: [walkers] });
}
process.send({ ready: true });
process.once('message', async () => {
  await Promise.all(
    requests.map(async ({ kind, ...request }) => {
      const began = performance.now();
      const end = await host.spawn(request).then(
        () => 'answered',
        (error) => error.code ?? 'INTERNAL',
      );
      process.send({ kind, end, ms: performance.now() - began });
    }),
  );
  await host.close();
  process.disconnect();
});
