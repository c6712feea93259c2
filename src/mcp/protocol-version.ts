import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { quote } from '../language/text.ts';
import { isRecord } from './raw-arguments.ts';

/** A client negotiates the protocol version with these, so any version is accepted. */
const NEGOTIATING_METHODS = ['initialize', 'server/discover'];

/** From revision 2026-07-28 on, requests carry their version in this field on every transport. */
const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';

/** The code that the SDK uses for an unsupported version. */
const UNSUPPORTED_VERSION = -32000;

/** Null for a message in a version that is supported, or without a version. */
export function unsupportedVersionError(message: object, header?: string): { code: number; message: string } | null {
  if ('method' in message && NEGOTIATING_METHODS.includes(String(message.method))) return null;
  const version = [header, versionInMeta(message)].find((each) => each !== undefined && !isSupported(each));
  if (version === undefined) return null;
  return {
    code: UNSUPPORTED_VERSION,
    message: `Protocol version ${quote(String(version))} is not supported, and nothing was done. Send one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}, or begin with initialize.`,
  };
}

const isSupported = (version: unknown): boolean => SUPPORTED_PROTOCOL_VERSIONS.some((each) => each === version);

function versionInMeta(message: object): unknown {
  const params = 'params' in message && isRecord(message.params) ? message.params : {};
  return isRecord(params._meta) ? params._meta[VERSION_IN_META] : undefined;
}
