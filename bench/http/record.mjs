/**
 * Writes every statement that a program runs to the file ACEQUIA_BENCH_RECORD, as one line of JSON each: `node
 * --import ./record.mjs ...`.
 */
import { register } from 'node:module';

const RECORDING = new URL('./recording-sqlite.mjs', import.meta.url).href;

const resolver = `
  export async function resolve(specifier, context, next) {
    return specifier === '@photostructure/sqlite' && context.parentURL !== ${JSON.stringify(RECORDING)}
      ? { url: ${JSON.stringify(RECORDING)}, shortCircuit: true }
      : next(specifier, context);
  }`;

register(`data:text/javascript,${encodeURIComponent(resolver)}`);
