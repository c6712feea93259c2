import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, or wait longest: begun last, they would leave processors idle at the end of a run. */
const LONG_FILES = [
  ...[
    'housekeeping',
    'mail-killed',
    'demo',
    'remote',
    'copy',
    'mail',
    'alerts-resource',
    'doctor-remote',
    'durability',
  ],
  ...['doctor', 'many-machines', 'demo-farm', 'serve', 'ingest', 'ingest-mqtt', 'traces', 'connect', 'progress'],
].map((name) => `/acceptance/${name}.test.ts`);

const rank = ({ moduleId }: TestSpecification): number => {
  const place = LONG_FILES.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? LONG_FILES.length : place;
};

/** Begins the long files first, and the others in an order that the run's seed decides. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const drawn = new Map(
      files.map((file) => [file, createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex')]),
    );
    return files.toSorted((a, b) => rank(a) - rank(b) || drawn.get(a)!.localeCompare(drawn.get(b)!));
  }
}
