import { AcequiaError } from '../schema/error.ts';
import { type AnyOperation, isWrite, type Toolset } from './operation.ts';
import type { Performer } from './performer.ts';

/** How far a process goes, whoever asks: said when it is started. */
export interface Reach {
  /** Toolsets whose operations are offered; null for all. */
  readonly toolsets: readonly Toolset[] | null;
  /** Nothing that writes is offered. */
  readonly isReadOnly: boolean;
}

export const EVERYTHING: Reach = { toolsets: null, isReadOnly: false };

type Kind = Pick<AnyOperation, 'toolset' | 'effect'>;

const isOfOtherToolset = ({ toolsets }: Reach, { toolset }: Kind): boolean =>
  toolsets !== null && !toolsets.includes(toolset);

export const isWithin = (reach: Reach, kind: Kind): boolean =>
  !isOfOtherToolset(reach, kind) && !(reach.isReadOnly && isWrite(kind));

/** Refuses what is not offered, naming the option that hides it: 403. */
function refuseBeyond(reach: Reach, described: AnyOperation): void {
  const { name, toolset } = described;
  if (isOfOtherToolset(reach, described))
    throw hidden(
      `${name} belongs to the toolset ${toolset}, and Acequia was started here with --toolsets ${reach.toolsets!.join(',')} (or ACEQUIA_TOOLSETS).`,
      `It is there once ${toolset} is added to that option and Acequia is started again.`,
    );
  if (!isWithin(reach, described))
    throw hidden(
      `${name} writes, and Acequia was started here with --read-only (or ACEQUIA_READ_ONLY).`,
      'Say that nothing can be written here; it is there once Acequia is started without that option.',
    );
}

const hidden = (message: string, hint: string): AcequiaError =>
  new AcequiaError({ code: 'insufficient_scope', status: 403, message, hint });

/** The same performer for what is within reach alone. An operation composed of others performs those all the same. */
export const withinReach = (performer: Performer, reach: Reach): Performer => ({
  ...performer,
  async perform(described, ask) {
    refuseBeyond(reach, described);
    return performer.perform(described, ask);
  },
  async offered(all) {
    const every = [...all];
    const allowed = await performer.offered(every);
    if (allowed === null && reach.toolsets === null && !reach.isReadOnly) return null;
    const near = every.filter((each) => isWithin(reach, each) && (allowed?.has(each.name) ?? true));
    return new Set(near.map(({ name }) => name));
  },
});
