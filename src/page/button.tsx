import type { ComponentProps } from 'preact';

/** A button that does not send a form. */
export const Button = (props: ComponentProps<'button'>) => <button type="button" {...props} />;
