import { mapTexts, singleLine } from '../domain/strings.ts';
import { type RenderedText, readText } from '../language/text/rendered-text.ts';
import { type Advisory, parseAdvisories } from '../schema/advisory.ts';

/** Clients read only some KiB of headers. */
const MAX_HEADER_BYTES = 4096;

/** The header holds the sentences if there are any, else the facts. */
export function formatAdvisoriesHeader(
  advisories: readonly Advisory[],
  texts?: readonly RenderedText[],
): string {
  const included: (Advisory | string)[] = [];
  let header = encodeAdvisories(included);
  for (const advisory of texts?.map(readText) ?? advisories) {
    included.push(advisory);
    const longer = encodeAdvisories(included);
    if (longer.length > MAX_HEADER_BYTES) break;
    header = longer;
  }
  return header;
}

const encodeAdvisories = (advisories: readonly (Advisory | string)[]): string =>
  encodeURIComponent(JSON.stringify(advisories));

export function parseAdvisoriesHeader(header: string | undefined): Advisory[] {
  if (header === undefined || header.length > MAX_HEADER_BYTES) return [];
  try {
    return parseAdvisories(mapTexts(JSON.parse(decodeURIComponent(header)), singleLine));
  } catch {
    return [];
  }
}
