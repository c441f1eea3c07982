import { serveLinking } from './serve-linking.js';

serveLinking();
