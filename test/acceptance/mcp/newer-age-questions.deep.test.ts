import { describe } from 'vitest';
import {
  itAsksBeforeItWrites,
  QUESTION_TRANSPORTS,
  serveQuestions,
} from './newer-age-scenarios.ts';

serveQuestions();

describe.each(QUESTION_TRANSPORTS)('over %s', (...transport) => itAsksBeforeItWrites(transport));
