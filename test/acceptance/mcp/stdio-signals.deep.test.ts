import { it } from 'vitest';
import { expectAnswerBeforeEnd } from './answer-before-end.ts';

it.each(['SIGINT', 'SIGHUP'] as const)(
  'open calls are answered before %s ends the server',
  expectAnswerBeforeEnd,
);
