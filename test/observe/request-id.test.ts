import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlateCall } from '../../src/observe/request-id.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('a call', () => {
  it('goes by its own id, else by that of its trace, else by a new one', () => {
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    expect(correlateCall({ requestId: 'a-1', traceparent })).toEqual({ requestId: 'a-1', traceparent });
    expect(correlateCall({ traceparent })).toEqual({ requestId: TRACE, traceparent });
    expect(correlateCall()).toEqual({ requestId: expect.stringMatching(UUID), traceparent: null });
    expect(correlateCall().requestId).not.toBe(correlateCall().requestId);
  });

  it.each([
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version that is forbidden', `ff-${TRACE}-${PARENT}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['more than version 00 has', `00-${TRACE}-${PARENT}-01-more`],
    ['two of them', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['nothing', ''],
  ])('belongs to no trace by a traceparent with %s', (_, traceparent) => {
    expect(correlateCall({ traceparent })).toEqual({ requestId: expect.stringMatching(UUID), traceparent: null });
  });

  it('has an id that a header and a line of a log can carry, whatever was sent', () => {
    const sent = fc.record({ requestId: fc.string({ unit: 'binary-ascii' }), traceparent: fc.string() });
    fc.assert(
      fc.property(sent, (incoming) => {
        const { requestId } = correlateCall(incoming);
        expect(requestId).toMatch(/^[\w.:=+/@-]{1,128}$/);
        expect(requestId).not.toMatch(/^acequia_/);
      }),
    );
  });

  it('keeps any id of one short word', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/).filter((id) => !id.startsWith('acequia_'));
    fc.assert(fc.property(word, (requestId) => correlateCall({ requestId }).requestId === requestId));
  });
});
