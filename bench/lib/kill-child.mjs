// One process of bench/kills.mjs that is to be killed: opens a graph, says so, indexes the project or updates files.
import { library, option } from './measure.mjs';

const { openGraph } = await library();
const graph = await openGraph(process.argv[2], { home: option('home') });
process.stdout.write('ready\n');
const paths = JSON.parse(option('paths', '[]'));
if (paths.length > 0) await graph.spawn('graph_update_files', null, { paths });
else await graph.spawn('graph_index_project', null, { mode: 'incremental' });
await graph.close();
