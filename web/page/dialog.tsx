import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Question {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly yes: string;
  readonly answer: (isYes: boolean) => void;
}

const question = signal<Question | null>(null);

/**
 * Asks before something is changed.
 *
 * @param yes What the button says that does it.
 */
export function confirmed(title: string, body: ComponentChildren, yes: string): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { title, body, yes, answer };
  });
}

/** Where {@link confirmed} asks. Holds the focus while it is open; the browser gives it back then. */
export function Dialog() {
  const element = useRef<HTMLDialogElement>(null);
  const asked = question.value;
  // At once: a key that is pressed now is meant for it.
  useLayoutEffect(() => {
    if (asked) element.current?.showModal();
  }, [asked]);
  if (!asked) return null;
  const end = (isYes: boolean) => {
    element.current?.close();
    question.value = null;
    asked.answer(isYes);
  };
  return (
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        end(false);
      }}
    >
      <h2 id="dialog-title">{asked.title}</h2>
      {asked.body}
      <div class="buttons">
        <button type="button" onClick={() => end(false)}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => end(true)}>
          {asked.yes}
        </button>
      </div>
    </dialog>
  );
}
