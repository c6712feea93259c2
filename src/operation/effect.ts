export type Effect = 'read' | 'create' | 'update' | 'delete';

export const isWrite = (operation: { effect: Effect }): boolean => operation.effect !== 'read';
