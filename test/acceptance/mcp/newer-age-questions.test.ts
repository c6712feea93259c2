import { describe } from 'vitest';
import {
  itAsksBeforeItWrites,
  itAsksNobodyWithoutForms,
  itAsksTwice,
  QUESTION_TRANSPORTS,
  serveQuestions,
} from './newer-age-scenarios.ts';

serveQuestions();

describe.each(QUESTION_TRANSPORTS)('over %s', (...transport) => itAsksTwice(transport));

describe('over HTTP', () => {
  itAsksBeforeItWrites(QUESTION_TRANSPORTS.find(([name]) => name === 'HTTP')!);
  itAsksNobodyWithoutForms();
});
