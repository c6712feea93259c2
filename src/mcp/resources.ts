import { z } from 'zod/v3';
import { tools } from '../../tools/index.ts';
import { type TimeSlice, visitInSlices } from '../domain/event-loop.ts';
import { LANGS } from '../domain/lang.ts';
import { readAllRows } from '../domain/list-pages.ts';
import { isRecord } from '../domain/records.ts';
import { foldText, quote, singleLine } from '../domain/strings.ts';
import { MAX_REFERENCE_TEXT } from '../domain/text/greatest-lengths.ts';
import type { CallTrace } from '../observe/observer.ts';
import { sliceOfNames } from '../operation/arguments/name-candidates.ts';
import { namesMeantBy } from '../operation/arguments/name-resolution.ts';
import type { AnyOperation, OperationResource } from '../operation/operation.ts';
import type { OperationResult } from '../operation/operation-result.ts';
import type { OperationRunner } from '../operation/operation-runner.ts';
import { page } from '../schema/shared-fields.ts';
import { ResourceNotFoundError } from './protocol.ts';

const anyPage = page(z.unknown());

interface ResourceRequest {
  readonly operation: AnyOperation;
  readonly args: Record<string, unknown>;
  readonly whereTrue: OperationResource['whereTrue'];
}

/** As long as the path and query of a request may be. */
const MAX_URI_LENGTH = 8_192;

export function findResource(uri: string): ResourceRequest | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined;

  const [path = '', query = ''] = uri.split('?', 2);
  for (const operation of tools) {
    const resource = operation.tool?.resource;
    const pathArguments = resource && uriArguments(resource.uri, path);
    if (!pathArguments) continue;

    const args = {
      ...resource.arguments,
      ...Object.fromEntries(new URLSearchParams(query)),
      ...pathArguments,
    };
    return { operation, args, whereTrue: resource.whereTrue };
  }

  return undefined;
}

export function parseResourceUri(uri: string): ResourceRequest {
  const request = findResource(uri);
  if (!request) throw new ResourceNotFoundError(uri, `There is no resource ${quote(uri)}`);
  return request;
}

/** Null if the path does not match the template, which has at most one argument in braces. */
function uriArguments(template: string, path: string): Record<string, string> | null {
  const argument = /\{(\w+)\}/.exec(template)?.[1];
  if (argument === undefined) return template === path ? {} : null;

  const value = new RegExp(`^${template.replace(/\{\w+\}/, '([^/]+)')}$`).exec(path)?.[1];
  return value === undefined ? null : { [argument]: decodeUriPart(value) };
}

function decodeUriPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export async function readResourceBody(
  { operation, args, whereTrue }: ResourceRequest,
  run: (operation: AnyOperation, args: unknown) => Promise<OperationResult>,
): Promise<unknown> {
  if (!whereTrue) return (await run(operation, args)).body;

  const rows = await readAllRows(async (page) =>
    anyPage.parse((await run(operation, { ...args, ...page })).body),
  );
  return { data: rows.filter((row) => isTrueAt(row, whereTrue)), next_cursor: null };
}

function isTrueAt(row: unknown, path: readonly string[]): boolean {
  let value = row;
  for (const name of path) value = isRecord(value) ? value[name] : undefined;
  return value === true;
}

/**
 * Names that contain the prefix, those that begin with it first. If there are none, names that it
 * may mean.
 */
export async function completionNames(
  runner: OperationRunner,
  argument: string,
  prefix: string,
  trace: CallTrace | undefined,
): Promise<string[]> {
  if (prefix.length > MAX_REFERENCE_TEXT) return [];
  if (argument === 'lang') return LANGS.filter((lang) => lang.includes(foldText(prefix)));
  if (argument !== 'module' && argument !== 'parcel') return [];

  const directory = await runner.directory(trace);
  const named = await (argument === 'module' ? directory.modules() : directory.parcels());
  const matching = await labelsContaining(prefix, named, sliceOfNames(directory));
  if (matching.length > 0) return matching;

  const { modules, parcels } = await namesMeantBy(prefix, directory);
  return (argument === 'module' ? modules : parcels).map(labelOf);
}

const labelOf = ({ name, id }: { name: string | null; id: number }): string =>
  singleLine(name) || `#${id}`;

/** The labels that begin with the text come first. */
async function labelsContaining(
  text: string,
  named: readonly { readonly name: string | null; readonly id: number }[],
  slice: TimeSlice,
): Promise<string[]> {
  const foldedText = foldText(text);
  const beginning: string[] = [];
  const containing: string[] = [];

  await visitInSlices(
    named,
    (entity) => {
      const label = labelOf(entity);
      const folded = foldText(label);
      if (folded.startsWith(foldedText)) beginning.push(label);
      else if (folded.includes(foldedText)) containing.push(label);
    },
    slice,
  );
  return [...beginning, ...containing];
}
