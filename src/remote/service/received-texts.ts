import { z } from 'zod/v3';
import { isIsoDate } from '../../domain/calendar.ts';
import { visibleText } from '../../domain/strings.ts';
import { programText } from '../../domain/text/program-text.ts';
import type {
  Duration,
  Joiner,
  Limit,
  Part,
  Precision,
  Text,
  Words,
} from '../../domain/text/text.ts';
import { UNITS_OF_TEXT } from '../../domain/text/units-of-text.ts';
import { isTimeZone } from '../../domain/time-zone.ts';

type Clean = (text: string) => string;

interface TextsToReceive {
  /** Cleans every text inside. */
  readonly clean: Clean;
  /** Gives the tool's name for an argument of the endpoint. */
  readonly nameArgument: Clean;
}

/** Texts within lists within texts; those of Acequia have two levels. */
const MAX_DEPTH = 4;
const MAX_PARTS = 200;
/** In characters, of a text as programs read it. */
const MAX_TEXT_LENGTH = 2_000;
const MAX_NAME_LENGTH = 200;
/** Beyond these, a figure or time has hundreds of digits, or no calendar. */
const MAX_FIGURE = 1e12;
const FIRST_INSTANT = Date.UTC(1000, 0);
const LAST_INSTANT = Date.UTC(9999, 0);

const figure = z.number().min(-MAX_FIGURE).max(MAX_FIGURE);
const figures = z.array(figure).min(1).max(MAX_PARTS);
const instant = z.number().int().min(FIRST_INSTANT).max(LAST_INSTANT);
const isDay = (text: string): boolean => isIsoDate(text) && text >= '1000';
const day = z.string().refine(isDay);
const inZone = { inZone: z.string().max(MAX_NAME_LENGTH).refine(isTimeZone).optional() };

/** Names every member, so that one that is added is not forgotten here. */
const oneOf = <T extends string>(members: Readonly<Record<T, true>>) =>
  z.custom<T>((value) => typeof value === 'string' && Object.hasOwn(members, value));

const unit = z.enum(UNITS_OF_TEXT);
const precision = oneOf<Precision>({
  amount: true,
  estimate: true,
  moisture: true,
  entered: true,
  rate: true,
  precise: true,
  exact: true,
});
const limit = oneOf<Limit>({ min: true, max: true, range: true }).optional();

const quantity = z.object({
  kind: z.literal('quantity'),
  values: figures,
  unit: unit.nullable(),
  precision,
  joiner: oneOf<Joiner>({ to: true, and: true, or: true, of: true }).optional(),
  metric: figures.optional(),
  isRough: z.literal(true).optional(),
  isChange: z.literal(true).optional(),
  limit,
});

const duration = z.object({
  kind: z.literal('duration'),
  minutes: figure,
  style: oneOf<Duration['style']>({
    minutes: true,
    advised: true,
    age: true,
    total: true,
    ahead: true,
    long: true,
  }),
});

const kindOf = <Kind extends string>(kind: Kind) => z.literal(kind);
const times = [
  z.object({ kind: kindOf('instant'), at: instant, sameDayAs: instant.optional(), ...inZone }),
  z.object({ kind: kindOf('dateOf'), at: instant, ...inZone }),
  z.object({ kind: kindOf('longInstant'), at: instant, ...inZone }),
  z.object({ kind: kindOf('longDate'), at: instant, ...inZone }),
  z.object({ kind: kindOf('period'), from: instant, to: instant.nullable(), ...inZone }),
  z.object({ kind: kindOf('day'), day, ...inZone }),
  z.object({ kind: kindOf('weekday'), day, ...inZone }),
  z.object({
    kind: kindOf('dayOfYear'),
    day: z.string().refine((text) => isIsoDate(`2024-${text}`)),
    ...inZone,
  }),
  z.object({ kind: kindOf('clock'), clock: z.string().regex(/^\d\d:\d\d$/), ...inZone }),
  z.object({ kind: kindOf('zone'), ...inZone }),
] as const;

/**
 * Validates the parts that a service sends of a text, which may be anything: what this program could
 * not render is no text. Names stay names.
 */
export function receivedText({
  clean,
  nameArgument,
}: TextsToReceive): z.ZodType<Text, z.ZodTypeDef, unknown> {
  const cleaned = (maxLength: number) =>
    z
      .string()
      .max(maxLength)
      .transform((text) => visibleText(clean(text)));
  const text = cleaned(MAX_TEXT_LENGTH);
  const name = cleaned(MAX_NAME_LENGTH);

  const plainParts = [
    quantity,
    duration,
    z.object({ kind: kindOf('area'), m2: figure, limit }),
    z.object({
      kind: kindOf('density'),
      perM2: figure.positive(),
      precision: precision.optional(),
    }),
    ...times,
    z.object({ kind: kindOf('name'), text }),
    z.object({ kind: kindOf('call'), tool: name.nullable(), args: z.array(text).max(MAX_PARTS) }),
    z.object({
      kind: kindOf('argument'),
      path: name.transform(nameArgument),
      isBare: z.literal(true).optional(),
    }),
    z.object({ kind: kindOf('code'), code: name }),
    z.object({ kind: kindOf('operation'), tool: name }),
  ] as const;
  const words = text.transform((literal) => literal as Words);

  const textOf = (part: z.ZodType<Part, z.ZodTypeDef, unknown>) =>
    z
      .object({ parts: z.array(part).max(MAX_PARTS) })
      .refine((received) => programText(received).length <= MAX_TEXT_LENGTH);

  let part: z.ZodType<Part, z.ZodTypeDef, unknown> = z.union([
    words,
    z.discriminatedUnion('kind', [...plainParts]),
  ]);
  const innermost = part;
  for (let depth = 1; depth < MAX_DEPTH; depth++) {
    const inner = textOf(part);
    part = z.union([
      innermost,
      z.object({
        kind: kindOf('list'),
        items: z.array(inner).max(MAX_PARTS),
        joiner: z.enum(['and', 'or']),
      }),
      z.object({ kind: kindOf('aside'), text: inner }),
      z.object({ kind: kindOf('description'), text: inner, forPrograms: text }),
    ]);
  }

  return textOf(part);
}
