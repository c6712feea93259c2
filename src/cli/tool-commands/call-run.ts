import { text } from 'node:stream/consumers';
import { toolsByName } from '../../../tools/index.ts';
import { quote } from '../../domain/strings.ts';
import { nearestWord } from '../../language/words/nearest-word.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { AcequiaError } from '../../schema/error.ts';
import { EXIT, formatRefusal } from '../process/command.ts';
import { print, printError, terminalWidth } from '../process/output.ts';
import { writeOutput } from '../process/output-file.ts';
import { readCatalog } from '../process/request-handlers.ts';
import type { Settings } from '../process/settings.ts';
import { formatListAnswer } from './list-table.ts';
import { formatToolHelp, formatToolList } from './tool-help.ts';
import { offeredTools, requestTool } from './tool-request.ts';

interface CallOptions {
  readonly json?: boolean;
  readonly out?: string;
}

class WrongCallError extends Error {}

export const runCall = (
  tool: string,
  words: readonly string[],
  options: CallOptions,
  settings: Settings,
): Promise<number> =>
  withErrorReport(async () =>
    callAndPrint(tool, await parseArguments(words), checkOptions(tool, options), settings),
  );

export const listTools = (settings: Settings): Promise<number> =>
  withErrorReport(async () => {
    const names = await offeredTools(settings);
    print(formatToolList(readCatalog(), (name) => names.has(name), terminalWidth()));
  });

export const showToolHelp = (tool: string): Promise<number> =>
  withErrorReport(async () => {
    const { name } = operationNamed(tool);
    const { tools, appTools } = readCatalog();
    const listed = [...tools, ...appTools].find((each) => each.name === name)!;
    print(formatToolHelp(listed, terminalWidth()));
  });

async function withErrorReport(body: () => Promise<void>): Promise<number> {
  try {
    await body();
    return EXIT.done;
  } catch (error) {
    if (error instanceof WrongCallError) {
      printError(`error: ${error.message}\n`);
      return EXIT.wrongUsage;
    }
    if (!(error instanceof AcequiaError)) throw error;
    printError(`${error.code}: ${formatRefusal(error)}`);
    return EXIT.failed;
  }
}

async function callAndPrint(
  tool: string,
  args: Record<string, unknown>,
  { json = false, out }: CallOptions,
  settings: Settings,
): Promise<void> {
  const { summary, next, body, picture } = await requestTool(tool, args, settings);
  const savedAs = picture && out !== undefined ? out : null;
  if (picture && savedAs !== null) await writeOutput(savedAs, picture, settings);

  if (json) {
    const answer = body ?? (picture ? { summary, out: savedAs } : { summary });
    print(`${JSON.stringify(answer, null, 2)}\n`);
  } else {
    const table = formatListAnswer(body);
    const lines = [summary, next, savedAs].filter((line) => line !== null);
    print(`${lines.join('\n')}\n`);
    if (table !== null) print(`\n${table}`);
  }

  if (picture && savedAs === null)
    printError('The picture was not saved: give a file with --out.\n');
}

function checkOptions(tool: string, options: CallOptions): CallOptions {
  const { render } = operationNamed(tool);
  if (options.out !== undefined && !render)
    throw new WrongCallError(`${tool} does not answer with a picture, so --out does not apply.`);
  return options;
}

function operationNamed(tool: string): AnyOperation {
  const operation = toolsByName.get(tool);
  if (operation) return operation;
  const nearest = nearestWord(tool, toolsByName.keys());
  throw new WrongCallError(
    `there is no tool ${quote(tool)}; ${nearest === null ? '"acequia call" lists them all' : `the nearest is ${nearest}`}.`,
  );
}

/** `name=text`, `name:=JSON`, and `-` for a JSON object on standard input. */
async function parseArguments(words: readonly string[]): Promise<Record<string, unknown>> {
  const args = new Map<string, unknown>();
  for (const word of words.filter((each) => each !== '-')) {
    const [, name, sign, value] = /^(\w+)(:?=)([\s\S]*)$/.exec(word) ?? [];
    if (name === undefined || value === undefined)
      throw new WrongCallError(
        `${quote(word)} is not an argument: give name=value, name:=JSON, or - to read a JSON object from standard input.`,
      );

    if (args.has(name))
      throw new WrongCallError(
        `${name} is given twice; a list is one argument, such as ${name}:=[1,2].`,
      );

    args.set(name, sign === ':=' ? parseJson(value, name) : value);
  }

  const fromStdin = words.includes('-') ? await readStdinArguments() : {};
  return { ...fromStdin, ...Object.fromEntries(args) };
}

async function readStdinArguments(): Promise<object> {
  const parsed = parseJson(await text(process.stdin), 'standard input');
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new WrongCallError('standard input is not a JSON object of names and values.');
}

function parseJson(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new WrongCallError(`${where} is not JSON: ${(error as Error).message}`);
  }
}
