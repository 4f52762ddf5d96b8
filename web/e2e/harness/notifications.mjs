// Notifications without a browser that shows them: a headless shell denies them whatever is granted, and a full
// browser shows them where no test can look. So pages get an answer that the scenario chose, and what they ask
// and show is recorded.

/** Before the page's scripts: `permission` is what it finds at first, `answer` what somebody says when asked. */
export async function recordNotifications(context, { permission = "default", answer = "granted" } = {}) {
  await context.addInitScript(install, { permission, answer });
}

function install({ permission, answer }) {
  if (location.protocol === "about:") return;
  const KEPT = "e2e.notifications"; // an answer stays, as in a browser
  const record = { asked: 0, looked: 0, shown: [] };
  const show = (by, title, { body, tag, data }) =>
    record.shown.push({ by, title, body, tag, path: data?.path });
  window.Notification = class {
    static get permission() {
      record.looked += 1;
      return localStorage.getItem(KEPT) ?? permission;
    }
    static async requestPermission() {
      record.asked += 1;
      const now = localStorage.getItem(KEPT) ?? permission;
      if (now === "default") localStorage.setItem(KEPT, answer);
      return now === "default" ? answer : now;
    }
    constructor(title, options) {
      show("page", title, options);
    }
  };
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
    show("worker", title, options);
  window.notifications = record;
}

/** What this page has done since it was loaded: how often it asked and looked, and what it showed. */
export const notifications = (page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.getRegistration(); // the page waits for this, too, before it shows anything
    return window.notifications;
  });
