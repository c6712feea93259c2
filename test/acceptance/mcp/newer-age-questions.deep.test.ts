import { describe } from 'vitest';
import {
  itAsksBeforeItWrites,
  itAsksNobodyWithoutForms,
  itAsksTwice,
  QUESTION_TRANSPORTS,
  serveQuestions,
} from './newer-age-scenarios.ts';

serveQuestions();

describe.each(QUESTION_TRANSPORTS)('over %s', (...transport) => {
  itAsksTwice(transport);
  itAsksBeforeItWrites(transport);
});

describe('over HTTP', () => itAsksNobodyWithoutForms());
