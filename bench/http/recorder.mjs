/**
 * Writes every statement that a program runs to the file ACEQUIA_BENCH_RECORD as one line of JSON:
 * `node --import ./recorder.mjs ...`. The program gets the class of this file in place of that of
 * SQLite.
 */
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';
import { DatabaseSync as Plain } from '@photostructure/sqlite';

const RECORDER = JSON.stringify(import.meta.url);

const resolver = `
  export async function resolve(specifier, context, next) {
    return specifier === '@photostructure/sqlite' && context.parentURL !== ${RECORDER}
      ? { url: ${RECORDER}, shortCircuit: true }
      : next(specifier, context);
  }`;

register(`data:text/javascript,${encodeURIComponent(resolver)}`);

let opened = 0;

export class DatabaseSync extends Plain {
  #connection = opened++;

  prepare(sql) {
    const statement = super.prepare(sql);
    const recorded =
      (method) =>
      (...parameters) => {
        const run = { connection: this.#connection, sql, parameters };
        appendFileSync(process.env.ACEQUIA_BENCH_RECORD, `${JSON.stringify(run)}\n`);
        return statement[method](...parameters);
      };
    return {
      all: recorded('all'),
      run: recorded('run'),
      iterate: recorded('iterate'),
      columns: () => statement.columns(),
      setReturnArrays: (isEnabled) => statement.setReturnArrays(isEnabled),
    };
  }
}
