export {
  namedId,
  storedName as keptName,
  storedSession as keptSession,
  traceId,
} from '../../graphs/trace/index.js';
