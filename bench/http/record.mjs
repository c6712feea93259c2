/**
 * Notes every statement that a program runs, one JSON text a line, in the file ACEQUIA_BENCH_RECORD:
 * `node --import ./record.mjs ...`.
 */
import { register } from 'node:module';

const RECORDING = new URL('./recording-sqlite.mjs', import.meta.url).href;

/** Puts the recording connections in the place of the package's own, for all but themselves. */
const resolver = `
  export async function resolve(specifier, context, next) {
    return specifier === '@photostructure/sqlite' && context.parentURL !== ${JSON.stringify(RECORDING)}
      ? { url: ${JSON.stringify(RECORDING)}, shortCircuit: true }
      : next(specifier, context);
  }`;

register(`data:text/javascript,${encodeURIComponent(resolver)}`);
