import { describe } from 'vitest';
import { itAsksTwice, QUESTION_TRANSPORTS, serveQuestions } from './newer-age-scenarios.ts';

serveQuestions();

describe('over standard input and output', () => itAsksTwice(QUESTION_TRANSPORTS[0]));
