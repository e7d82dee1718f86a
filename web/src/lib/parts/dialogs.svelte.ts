/** Which of the page's own panels is open. */

class Dialogs {
  settings = $state(false);
}

export const dialogs = new Dialogs();
