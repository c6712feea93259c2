import type { AnnotationBody } from './annotation.ts';
import type { UndoneChangeBody } from './change.ts';

/** What a call would destroy, for the question to the person. */
export type Confirmation =
  | { readonly kind: 'deletion'; readonly annotation: AnnotationBody; readonly stopsAlert: boolean }
  | { readonly kind: 'undo'; readonly undone: UndoneChangeBody };
