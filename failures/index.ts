export { FailingTest, Failure, Frame } from './failure.js';
