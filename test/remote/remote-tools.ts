import { afterEach, beforeEach, expect } from 'vitest';
import {
  operationForArguments,
  readToolArguments,
} from '../../src/operation/arguments/tool-arguments.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import type { OperationRunner } from '../../src/operation/operation-runner.ts';
import { spokenTimesOf } from '../../src/operation/replay/spoken-times.ts';
import { type RemoteOptions, RemoteRunner } from '../../src/remote/remote-runner.ts';
import { AcequiaError } from '../../src/schema/error.ts';
import { operationsByName } from '../../tools/index.ts';
import { readAnswer } from '../language/render-text.ts';
import { type StubService, startStubService } from './stub-service.ts';

type ToolArguments = Record<string, unknown>;

export class RemoteTools {
  now = START;
  stub!: StubService;
  runner!: OperationRunner;
  readonly #options: Partial<RemoteOptions>;
  readonly #open: OperationRunner[] = [];

  constructor(options: Partial<RemoteOptions>) {
    this.#options = options;
    beforeEach(async () => {
      this.now = START;
      this.stub = await startStubService();
      this.connect();
    });
    afterEach(async () => {
      for (const each of this.#open.splice(0)) await each.close();
      await this.stub.close().catch(() => undefined);
    });
  }

  connect(options: Partial<RemoteOptions> = {}): void {
    const defaults = { url: this.stub.url, key: KEY, clock: () => this.now, lang: 'en' as const };
    this.runner = new RemoteRunner({ ...defaults, ...this.#options, ...options });
    this.#open.push(this.runner);
  }

  async run(operation: AnyOperation, rawArguments: ToolArguments = {}, idempotencyKey?: string) {
    const result = await this.runner.run(operation, {
      rawArguments,
      idempotencyKey,
      spokenTimes: spokenTimesOf(operation, rawArguments),
      readArguments: (context) => readToolArguments(operation, rawArguments, context),
    });
    return readAnswer(result);
  }

  call(name: string, rawArguments?: ToolArguments, idempotencyKey?: string) {
    const operation = operationForArguments(operationsByName.get(name)!, rawArguments ?? {});
    return this.run(operation, rawArguments, idempotencyKey);
  }
}

export const KEY = 'acequia_secret-key-of-the-test';
const START = Date.parse('2026-07-01T10:00:00Z');

export const EVENTS = '/v1/modules/1/irrigation/events';
export const POST_EVENT = `POST ${EVENTS}`;

export const watering = (overrides: ToolArguments = {}): ToolArguments => ({
  module: 'north 1',
  startedAt: 'today 6:00',
  inputMode: 'duration',
  durationMin: 40,
  detail: 'full',
  ...overrides,
});

/** Checks that the error never shows the key. */
export async function refusalOf(call: Promise<unknown>): Promise<AcequiaError> {
  const error = await call.then(
    () => new Error('The call succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AcequiaError)) throw error;
  expect(JSON.stringify(error)).not.toContain(KEY);
  return error;
}
