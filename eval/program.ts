import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Set by bundle.mjs; tests run in the repository. */
declare const EVAL_ROOT: string | undefined;
export const ROOT = typeof EVAL_ROOT === 'string' ? EVAL_ROOT : process.cwd();
export const STORIES = join(ROOT, 'eval', 'stories');
export const FARMS = join(ROOT, 'eval', 'farms');

/** ACEQUIA_BINARY names another build. */
export const PROGRAM = process.env.ACEQUIA_BINARY ?? join(ROOT, 'dist', 'acequia.js');
if (!existsSync(PROGRAM)) throw new Error(`There is no ${PROGRAM}: run "npm run build" first.`);

/** The environment without the settings of the person who runs the evaluation. */
export const environment: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('ACEQUIA_') || value === undefined ? [] : [[name, value]],
  ),
);
