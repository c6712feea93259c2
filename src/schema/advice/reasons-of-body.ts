import { inOrder, type Reason, type ReasonFacts, reasonWith } from '../../domain/advice/reason.ts';
import type { ReasonKind } from '../../domain/advice/reason-kinds.ts';
import type { Advisory } from '../advisory.ts';
import {
  type AnswerWithFacts,
  FACT_PLACES,
  type FactFields,
  type WrittenFacts,
} from './fact-places.ts';

/** The reasons of an answer, with their facts. */
export const reasonsOf = (
  { reasons, ...body }: FactFields & { readonly reasons: readonly ReasonKind[] },
  advisories: readonly Advisory[] = [],
): Reason[] =>
  inOrder(
    reasons.map((kind) =>
      hasFacts(kind) ? readReason(kind, { body, advisories }) : reasonWith(kind, {}),
    ),
  );

const readReason = <Kind extends keyof ReasonFacts>(
  kind: Kind,
  answer: AnswerWithFacts,
): Reason<Kind> => reasonWith(kind, FACT_PLACES[kind].read(answer));

const hasFacts = (kind: ReasonKind): kind is keyof ReasonFacts => kind in FACT_PLACES;

/** The reasons as fields and advisories of an answer. */
export function toBody(reasons: readonly Reason[]): {
  readonly body: FactFields & { readonly reasons: ReasonKind[] };
  readonly advisories: readonly Advisory[];
} {
  const written = reasons.map((reason) => (isWithFacts(reason) ? writtenFacts(reason) : {}));
  return {
    body: {
      ...written.reduce<FactFields>((fields, { body = {} }) => merged(fields, body), {}),
      reasons: reasons.map(({ kind }) => kind),
    },
    advisories: written.flatMap(({ advisory }) => advisory ?? []),
  };
}

const isWithFacts = (reason: Reason): reason is Reason<keyof ReasonFacts> => hasFacts(reason.kind);

const writtenFacts = <Kind extends keyof ReasonFacts>(reason: Reason<Kind>): WrittenFacts =>
  FACT_PLACES[reason.kind].write(reason);

/** Several reasons may have readings or lines in one list. */
function merged(fields: FactFields, added: FactFields): FactFields {
  const { doubts, doubtedLines, tension } = fields;
  const both: FactFields = { ...fields, ...added };
  if (doubts && added.doubts) both.doubts = fromSurface([...doubts, ...added.doubts]);
  if (doubtedLines && added.doubtedLines)
    both.doubtedLines = [...doubtedLines, ...added.doubtedLines];
  if (!tension?.suspect || !added.tension?.suspect) return both;
  return {
    ...both,
    tension: { suspect: fromSurface([...tension.suspect, ...added.tension.suspect]) },
  };
}

/** Rows of an unknown depth come first. */
const fromSurface = <Row extends { readonly depth: number | null }>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => (a.depth ?? -1) - (b.depth ?? -1));
