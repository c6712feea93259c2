import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const WAITING = /\/test\/(acceptance|cli)\//;

/**
 * Orders files by project, because a worker serves one project, and then those first that wait for
 * processes and networks: they take longest. The seed of the run decides the rest.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const projects = this.ctx.projects.map(({ name }) => name);
    const rank = ({ moduleId, project }: TestSpecification): number =>
      2 * projects.indexOf(project.name) + (WAITING.test(moduleId) ? 0 : 1);
    const digest = ({ moduleId }: TestSpecification): string =>
      createHash('sha256').update(`${seed} ${moduleId}`).digest('hex');
    return files
      .map((file) => ({ file, rank: rank(file), digest: digest(file) }))
      .toSorted((a, b) => a.rank - b.rank || a.digest.localeCompare(b.digest))
      .map(({ file }) => file);
  }
}
