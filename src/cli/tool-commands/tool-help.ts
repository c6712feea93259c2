import { Help } from 'commander';
import { z } from 'zod/v3';
import type { Catalog } from '../../mcp/catalog.ts';
import { TOOLSET_DESCRIPTIONS, TOOLSETS } from '../../operation/operation-kind.ts';

const DEFAULT_WIDTH = 80;

function helpFormat(width = DEFAULT_WIDTH) {
  const help = new Help();
  help.prepareContext({ helpWidth: width });
  return {
    paragraph: (text: string): string => help.boxWrap(text, width),
    /** A heading above two columns. */
    list(
      heading: string,
      items: readonly (readonly [term: string, text: string])[],
      termWidth: number,
    ): string[] {
      return help.formatItemList(
        heading,
        items.map(([term, text]) => help.formatItem(term, termWidth, text, help)),
        help,
      );
    },
  };
}

export function formatToolList(
  { tools, operations }: Catalog,
  isOffered: (name: string) => boolean,
  width?: number,
) {
  const { list } = helpFormat(width);
  const termWidth = Math.max(...tools.map(({ name }) => name.length));
  const lines = TOOLSETS.flatMap((toolset) => {
    const members = tools.filter(
      ({ name }) => operations[name]!.toolset === toolset && isOffered(name),
    );
    return list(
      `${toolset}: ${TOOLSET_DESCRIPTIONS[toolset]}`,
      members.map(({ name, annotations }) => [name, annotations?.title ?? '']),
      termWidth,
    );
  });

  return `${lines.join('\n')}\n"acequia call TOOL --help" shows the arguments of a tool.\n`;
}

interface Argument {
  readonly type: string;
  readonly description: string;
  readonly enum?: readonly string[] | undefined;
  readonly items?: Argument | undefined;
  readonly properties?: Readonly<Record<string, Argument>> | undefined;
}

const argument: z.ZodType<Argument, z.ZodTypeDef, unknown> = z.lazy(() =>
  z.object({
    type: z.string(),
    description: z.string().default(''),
    enum: z.array(z.string()).optional(),
    items: argument.optional(),
    properties: z.record(argument).optional(),
  }),
);

const TYPE_NAMES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list in JSON, as name:=[…]',
  object: 'an object in JSON, as name:={…}',
};

const describeArgument = ({ type, description, enum: codes }: Argument): string =>
  [description, codes === undefined ? TYPE_NAMES[type] : `one of ${codes.join(', ')}`]
    .filter((text) => text !== undefined && text !== '')
    .map((text, index) => (index === 0 ? text : `(${text})`))
    .join(' ');

type Row = readonly [term: string, text: string];

/** The argument, and below it the fields of a list of objects or of an object. */
function argumentRows(name: string, described: Argument): Row[] {
  const { type, items, properties = items?.properties ?? {} } = described;
  const prefix = type === 'array' ? `${name}[].` : `${name}.`;
  return [
    [name, describeArgument(described)],
    ...Object.entries(properties).flatMap(([field, inner]) =>
      argumentRows(`${prefix}${field}`, inner),
    ),
  ];
}

export function formatToolHelp(
  { name, description = '', inputSchema }: Catalog['tools'][number],
  width?: number,
): string {
  const { paragraph, list } = helpFormat(width);
  const required = inputSchema.required ?? [];
  const names = Object.keys(inputSchema.properties ?? {});
  const rowsOf = (name: string): Row[] =>
    argumentRows(name, argument.parse(inputSchema.properties?.[name]));
  const requiredRows = names.filter((name) => required.includes(name)).flatMap(rowsOf);
  const optionalRows = names.filter((name) => !required.includes(name)).flatMap(rowsOf);
  const termWidth = Math.max(0, ...[...requiredRows, ...optionalRows].map(([term]) => term.length));
  const usage = required.map((term) => `${term}=…`);
  if (optionalRows.length > 0) usage.push('[name=value…]');

  return [
    `Usage: acequia call ${[name, ...usage].join(' ')}`,
    '',
    paragraph(description),
    '',
    ...list('Required:', requiredRows, termWidth),
    ...list('Optional:', optionalRows, termWidth),
  ].join('\n');
}
