# A dump.
/*!40101 SET NAMES utf8 */;
CREATE TABLE `posts` (
  `id` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'it\'s; the key',
  `text` longtext,
  PRIMARY KEY (`id`),
  KEY `by_text` (`text`(20)),
  FULLTEXT KEY (`text`)
) ENGINE=InnoDB;
INSERT INTO `posts` VALUES (1,'CREATE TABLE no (a int); it\'s'),(2,'b');

DELIMITER //
CREATE DEFINER=`root`@`localhost` PROCEDURE tidy(IN days INT)
BEGIN
  DECLARE n INT DEFAULT 0;
  IF days > 1 THEN
    DELETE FROM posts WHERE id = CASE days WHEN 1 THEN 2 ELSE 3 END;
  END IF;
  INSERT INTO log SELECT id FROM posts;
END //
DELIMITER ;

CREATE TEMPORARY TABLE visits LIKE posts;
