import { it } from 'vitest';
import { expectNoEffect } from './observed-service.ts';

it.each([
  ['fails', 500],
  ['asks to retry later', 503],
])('a collector that %s changes no answer and does not delay shutdown', (_, status) =>
  expectNoEffect(status),
);
