/** Asks for the remarks of an answer in a request ("1"), and carries them beside the body in the response. */
export const REMARKS_HEADER = 'acequia-remarks';

/** As much as is sent of them, in bytes: a client reads no more than some KiB of headers. */
const MOST_BYTES = 4096;

/** Remarks as a header carries them: percent-encoded JSON, whole remarks as far as they fit. */
export function remarksAsHeader(remarks: readonly string[]): string {
  const sent: string[] = [];
  let header = encoded(sent);
  for (const remark of remarks) {
    sent.push(remark);
    const longer = encoded(sent);
    if (longer.length > MOST_BYTES) break;
    header = longer;
  }
  return header;
}

const encoded = (remarks: readonly string[]): string => encodeURIComponent(JSON.stringify(remarks));

/** The remarks in such a header; none where it is missing or holds something else. */
export function remarksInHeader(header: string | undefined): string[] {
  if (header === undefined || header.length > MOST_BYTES) return [];
  try {
    const read: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(read) ? read.filter((each) => typeof each === 'string').map(asLine) : [];
  } catch {
    return [];
  }
}

const asLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();
