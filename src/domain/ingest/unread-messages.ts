const MAX_MESSAGES_PER_SENDER = 3;
const MAX_SENDERS = 100;

/**
 * Messages above the limits: of a sender all but its newest three, and all of the senders whose last
 * message is the oldest. `messages` are the newest first.
 */
export function surplusMessages<Message extends { readonly sender: string }>(
  messages: readonly Message[],
): Message[] {
  const countBySender = new Map<string, number>();
  return messages.filter(({ sender }) => {
    const count = countBySender.get(sender) ?? 0;
    if (count === 0 && countBySender.size === MAX_SENDERS) return true;
    countBySender.set(sender, count + 1);
    return count >= MAX_MESSAGES_PER_SENDER;
  });
}
