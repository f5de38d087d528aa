//! The page: scripts/view makes `page.html` from the sources in tool/view; here the run is added.

use super::json;
use super::recording::Recording;
use super::scene::Scene;
use crate::failure::Outcome;

const PAGE: &str = include_str!("../../view/page.html");

/// What a page shows.
pub struct Page<'a> {
    pub title: &'a str,
    /// The scheme and the steps.
    pub scheme: &'a str,
    /// That frames were left out; empty if none were.
    pub thinned: &'a str,
    /// Why the run ended early; empty if it did not.
    pub failure: &'a str,
    pub scene: &'a Scene,
    pub recording: &'a Recording<'a>,
}

impl Page<'_> {
    /// The text of the file. Errors: the frames cannot be compressed.
    pub fn text(&self) -> Outcome<String> {
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let run = format!(
            "{{\"title\":{},\"scheme\":{},\"thinned\":{},\"failure\":{},{},{}}}",
            json::string(self.title),
            json::string(self.scheme),
            json::string(self.thinned),
            json::string(self.failure),
            self.scene.json(),
            self.recording.json()
        );
        let frames = self.recording.encoded()?;
        let mut text = String::with_capacity(PAGE.len() + run.len() + frames.len());
        let mut rest = PAGE;
        for (mark, value) in [("{{title}}", title), ("{{run}}", run), ("{{frames}}", frames)] {
            // Every mark is in the page, which the tests check.
            let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
            text.push_str(before);
            text.push_str(&value);
            rest = after;
        }
        text.push_str(rest);
        Ok(text)
    }
}
