// Beside a page: when it last asked the server for something, was told something, and changed.
(() => {
  const seen = { asked: 0, told: 0, changed: 0 };
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", () => (seen.told = performance.now()));
    }
    send(message) {
      seen.asked = performance.now();
      super.send(message);
    }
  };
  const watch = new MutationObserver(() => (seen.changed = performance.now()));
  const whole = { subtree: true, childList: true, attributes: true, characterData: true };
  const app = () => document.querySelector("[data-testid=stApp]");
  const idle = () => app()?.getAttribute("data-test-script-state") === "notRunning";
  // Resolves to whether nothing was asked that is not answered and nothing has changed for `quiet`
  // milliseconds; to false after `patience`: what moves by itself never rests.
  window.yjStill = (quiet, patience) =>
    new Promise((resolve) => {
      const began = performance.now();
      seen.changed = began;
      watch.observe(document, whole);
      const look = () => {
        const now = performance.now();
        const still = idle() && seen.told >= seen.asked && now - seen.changed >= quiet;
        if (!still && now - began < patience) return setTimeout(look, 20);
        watch.disconnect();
        resolve(still);
      };
      look();
    });
})();
