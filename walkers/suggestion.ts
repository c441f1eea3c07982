export { didYouMean, isNear, nearestFirst, nearMembers, slips, suggestedPaths } from '../present/index.js';
