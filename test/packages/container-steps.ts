// Carries out a Dockerfile in folders instead of images, for a machine without a Docker engine.
// Each stage is a folder that stands for its /. What the base image brings is missing: RUN uses the
// programs of this machine, and users stay the same.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { instructionsOf } from './dockerfile-instructions.ts';

interface Container {
  /** Stands for / in the image. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Record<string, string>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

type Stage = { -readonly [name in keyof Container]: Container[name] };

const words = (text: string): string[] =>
  text.split(/\s+/).filter((word) => !word.startsWith('--'));

/** `/opt/x` in a command becomes the folder that stands for it. */
export const within = (root: string, text: string): string =>
  text.replace(/(^|[\s=])(?=\/(?!\/))/g, `$1${root}`);

async function copyInto(stage: Stage, from: string, paths: readonly string[]): Promise<void> {
  const target = paths.at(-1)!;
  const place = target.startsWith('/')
    ? join(stage.root, target)
    : join(stage.root, stage.workdir, target);
  const isFolder = paths.length > 2 || target.endsWith('/');
  for (const source of paths.slice(0, -1)) {
    const path = join(from, source);
    // Of a folder, COPY takes what is in it.
    const isWhole = !isFolder || (await stat(path)).isDirectory();
    await cp(path, isWhole ? place : join(place, basename(source)), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

async function run(stage: Stage, command: string): Promise<void> {
  const [cwd, HOME] = [join(stage.root, stage.workdir), join(stage.root, 'home')];
  await mkdir(join(stage.root, 'var', 'lib'), { recursive: true });
  await mkdir(HOME, { recursive: true });
  const env = { ...stage.env, HOME, PATH: process.env.PATH };
  // The user of the base image does not exist here.
  const script = `set -e; chown() { :; }; ${within(stage.root, command)}`;
  await promisify(execFile)('bash', ['-c', script], { cwd, env, maxBuffer: 1e8 });
}

async function apply(
  stage: Stage,
  name: string,
  rest: string,
  context: string,
  stages: Map<string, Stage>,
) {
  const list = (): string[] => JSON.parse(rest.slice(rest.indexOf('[')));
  switch (name) {
    case 'WORKDIR':
      stage.workdir = rest;
      await mkdir(join(stage.root, rest), { recursive: true });
      return;
    case 'COPY': {
      const [, other] = /--from=(\S+)/.exec(rest) ?? [];
      return copyInto(stage, other ? stages.get(other)!.root : context, words(rest));
    }
    case 'RUN':
      return run(stage, rest);
    case 'ENV':
      for (const word of words(rest)) {
        const [key, value] = word.split(/=(.*)/);
        stage.env[key!] = value!;
      }
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = list();
      return;
    case 'CMD':
      stage.command = list();
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = list();
      return;
    case 'USER':
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return;
    default:
      throw new Error(`${name} is not known here.`);
  }
}

/** The last stage of the Dockerfile in the context, built below the folder. */
export async function buildContainer(context: string, folder: string): Promise<Container> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, rest } of instructionsOf(
    await readFile(join(context, 'packages', 'Dockerfile'), 'utf8'),
  )) {
    if (name !== 'FROM') {
      await apply(stage!, name, rest, context, stages);
      continue;
    }
    const root = join(folder, `stage-${stages.size}`);
    await mkdir(root, { recursive: true });
    stage = { root, workdir: '/', env: {}, entrypoint: [], command: [], healthcheck: [] };
    stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? '', stage);
  }
  return stage!;
}
